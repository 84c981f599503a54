BEGIN { @a = count(); @a++; }
