BEGIN { speculate(0); printf("lost"); }
BEGIN { printf("kept"); exit(0); }
