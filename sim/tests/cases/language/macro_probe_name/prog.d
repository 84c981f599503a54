$1 { printf("begun"); exit(0); }
