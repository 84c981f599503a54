int m[2][3];
BEGIN { printf("%d", sizeof (m[0])); exit(0); }
