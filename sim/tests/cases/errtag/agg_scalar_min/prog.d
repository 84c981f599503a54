BEGIN { @a = min("x"); }
