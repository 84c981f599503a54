struct later;
struct later *p;
BEGIN { printf("%d", sizeof (struct later *)); exit(0); }
