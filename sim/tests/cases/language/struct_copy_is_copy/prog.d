struct pt { int x; int y; }; struct pt a; struct pt b; BEGIN { a.x = 7; b = a; a.x = 9; printf("%d %d", b.x, a.x); exit(0); }
