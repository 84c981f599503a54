enum g { K = (1 << 4) + sizeof (int) };
BEGIN { printf("%d", K); exit(0); }
