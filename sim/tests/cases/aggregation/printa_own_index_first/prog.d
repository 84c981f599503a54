BEGIN { printa("%d %@d\n", @a[1]); @a[1] = count(); exit(0); }
