BEGIN { x = 5; printf("%d", $1); exit(0); }
