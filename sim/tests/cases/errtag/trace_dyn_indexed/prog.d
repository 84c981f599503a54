BEGIN { @a[1] = count(); trace(@a[1]); }
