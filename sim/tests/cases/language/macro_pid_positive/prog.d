BEGIN { printf("%d", $pid > 0); exit(0); }
