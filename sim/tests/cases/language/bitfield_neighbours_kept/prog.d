struct a { unsigned x:3; int y:2; int z:4; }; struct a v; BEGIN { v.x = 5; v.y = 1; v.z = 8; printf("%d %d %d", v.x, v.y, v.z); exit(0); }
