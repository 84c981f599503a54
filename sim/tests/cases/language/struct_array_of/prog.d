struct pt { int x; int y; }; struct pt a[3]; BEGIN { a[2].y = 6; a[1].x = 1; printf("%d", a[2].y * a[1].x); exit(0); }
