BEGIN { @a[1, 2] = count(); @a[1, "x"] = count(); }
