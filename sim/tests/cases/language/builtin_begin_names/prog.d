BEGIN { printf("%s", probeprov); exit(0); }
