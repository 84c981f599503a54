int x; int x; self int y; self int y; int a[int]; int a[int];
BEGIN { x = 1; trace(x); exit(0); }
