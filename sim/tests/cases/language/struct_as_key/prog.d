struct pt { int x; int y; }; struct pt p; struct pt q; BEGIN { p.x = 1; q.x = 2; a[p] = 1; printf("%d %d", a[p], a[q]); exit(0); }
