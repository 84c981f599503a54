BEGIN { @a[1, 2] = count(); @bb[1, "x"] = count(); printa("%d %@d", @a, @bb); }
