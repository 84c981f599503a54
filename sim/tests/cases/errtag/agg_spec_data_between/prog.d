BEGIN { speculate(1); trace(1); @a = max(1); }
