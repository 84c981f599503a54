BEGIN { a = (char)1; b = (short)1; c = 1L; d = curthread; e = "x"; printf("%d %d %d %d %d", sizeof(a), sizeof(b), sizeof(c), sizeof(d), sizeof(e)); exit(0); }
