BEGIN { printa("%@d", @a[1]); }
