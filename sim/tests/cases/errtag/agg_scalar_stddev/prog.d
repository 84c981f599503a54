BEGIN { @a = stddev("x"); }
