BEGIN { printf("%d", (int)(char)255); exit(0); }
