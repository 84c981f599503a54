BEGIN { @a = count(); @a = sum("x"); }
