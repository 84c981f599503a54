BEGIN { printf("%d", $1 == pid); exit(0); }
