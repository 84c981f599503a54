struct a { int x:3; int y:4; int z:1; }; struct b { int x:17; }; BEGIN { printf("%d %d", sizeof(struct a), sizeof(struct b)); exit(0); }
