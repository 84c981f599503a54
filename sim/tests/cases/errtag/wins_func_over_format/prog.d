BEGIN { printf("%d"); nofunc(); }
