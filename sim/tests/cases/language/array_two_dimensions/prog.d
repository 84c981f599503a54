int m[2][3];
BEGIN { m[1][2] = 5; m[0][2] = 4; m[1][1] = 3; printf("%d", m[1][2]); exit(0); }
