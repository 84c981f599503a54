int m[2][3];
BEGIN { printf("%d", sizeof (m)); exit(0); }
