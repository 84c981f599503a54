BEGIN { speculate(1); @a = avg(1); }
