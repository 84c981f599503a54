BEGIN { @a = count(); @b = count(); @c[1] = count(); printa("%@d", @a, @b, @c); }
