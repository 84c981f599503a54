BEGIN { printf("%d", sizeof (volatile intå); exit(0); }
