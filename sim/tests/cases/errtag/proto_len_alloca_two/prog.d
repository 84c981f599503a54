BEGIN { x = alloca(1, 2); }
