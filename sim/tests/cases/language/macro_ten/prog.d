BEGIN { printf("%d", $10); exit(0); }
