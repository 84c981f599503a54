BEGIN { @a = count(); @b[1, @a] = count(); }
