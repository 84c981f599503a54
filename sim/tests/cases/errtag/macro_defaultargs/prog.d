BEGIN { printf("%d|%s|%d\n", $1, $$2, $3); exit(0); }
