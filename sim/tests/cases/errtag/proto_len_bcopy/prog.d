BEGIN { bcopy(alloca(4), alloca(4)); }
