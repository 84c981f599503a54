BEGIN { print(alloca(4)); }
