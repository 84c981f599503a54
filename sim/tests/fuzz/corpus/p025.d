BEGIN { bcopy((4), alloca(4)); }
