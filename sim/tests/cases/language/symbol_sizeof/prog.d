BEGIN { printf("%d", sizeof(`hz)); exit(0); }
