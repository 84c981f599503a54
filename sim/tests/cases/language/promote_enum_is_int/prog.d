enum e { E0, E1 };
BEGIN { printf("%d", sizeof (E1 + (char)1)); exit(0); }
