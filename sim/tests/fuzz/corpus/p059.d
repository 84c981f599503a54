profile-1 { } BEGIN { x = pid; printf("%d", x == pid); exit(x); }
