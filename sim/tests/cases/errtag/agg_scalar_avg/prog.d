BEGIN { @a = avg("x"); }
