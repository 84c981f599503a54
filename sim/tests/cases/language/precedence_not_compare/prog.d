BEGIN { printf("%d", !1 == 0); exit(0); }
