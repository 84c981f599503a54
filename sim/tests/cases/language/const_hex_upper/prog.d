BEGIN { printf("%d", 0XAbC); exit(0); }
