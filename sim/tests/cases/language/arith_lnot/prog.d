BEGIN { printf("%d", !0 + !7); exit(0); }
