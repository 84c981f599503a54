char a[4];
BEGIN { a[0] = 'h'; a[1] = 'i'; a[2] = 0; printf("%s", stringof(a)); exit(0); }
