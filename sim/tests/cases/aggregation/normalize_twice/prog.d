BEGIN { @a = sum(100); normalize(@a, 10); normalize(@a, 4); exit(0); }
