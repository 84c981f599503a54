BEGIN { @a = max("x"); }
