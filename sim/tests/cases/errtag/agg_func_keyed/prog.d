BEGIN { @a[execname] = pid; }
