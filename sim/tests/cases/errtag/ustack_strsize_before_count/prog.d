BEGIN { ustack(1, -1, 2); }
