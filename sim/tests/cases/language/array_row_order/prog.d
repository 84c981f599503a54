int m[2][3];
BEGIN { m[1][1] = 8; printf("%d", *(m[0] + 4)); exit(0); }
