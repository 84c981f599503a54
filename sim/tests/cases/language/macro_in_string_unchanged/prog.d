BEGIN { printf("$1 %d", $1); exit(0); }
