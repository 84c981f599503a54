BEGIN { printa("%@d", @a); }
