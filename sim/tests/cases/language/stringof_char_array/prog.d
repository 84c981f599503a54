char a[4];
BEGIN { a[0] = 'a'; a[1] = 'b'; printf("%s|\n", stringof(a)); exit(0); }
