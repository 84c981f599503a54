BEGIN { @a[1] = sum(3); @b[2] = sum(4); printa("%d: %@d %@d\n", @a, @b); exit(0); }
