BEGIN { @a = count(); @a, 1; }
