BEGIN { @a[y] = count(); }
