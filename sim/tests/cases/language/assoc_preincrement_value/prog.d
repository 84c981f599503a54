BEGIN { x = ++a[1]; printf("%d", x); exit(0); }
