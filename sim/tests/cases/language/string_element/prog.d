string x[int];
BEGIN { x[1] = "ab"; x[2] = 0; printf("%s\n", x[1]); exit(0); }
