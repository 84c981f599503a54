BEGIN { printf("%d", __STDC__); exit(0); }
