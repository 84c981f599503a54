BEGIN, END { printf("x"); }
BEGIN { exit(0); }
