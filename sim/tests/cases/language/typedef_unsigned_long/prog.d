BEGIN { printf("%d", sizeof (ulong_t) + sizeof (u_longlong_t) + sizeof (ushort_t)); exit(0); }
