BEGIN { speculate(1); copyoutstr("abc", 0, 4); }
