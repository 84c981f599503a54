BEGIN { printf("%d", $3); exit(0); }
