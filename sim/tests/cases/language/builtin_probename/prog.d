BEGIN { printf("%s", probename); exit(0); }
