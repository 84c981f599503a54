BEGIN { bcopy("a", alloca(1), 1); }
