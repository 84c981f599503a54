BEGIN { @a = sum(3); @b = sum(4); printa("%@d %@d %@d %@d\n", @a, @b); exit(0); }
