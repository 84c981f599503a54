BEGIN { x = $1 ? $1 : 3; printf("%d", x); exit(0); }
