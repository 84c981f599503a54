BEGIN { printf("%d", 1 /* one */ + /* two */ 2); exit(0); }
