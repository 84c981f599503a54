BEGIN { printf("%d", &`putnext != NULL); exit(0); }
