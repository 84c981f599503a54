BEGIN { ustack(0, 1, 2); }
