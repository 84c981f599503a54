BEGIN { @a[1] = min(1); @a[1] = avg(1); }
