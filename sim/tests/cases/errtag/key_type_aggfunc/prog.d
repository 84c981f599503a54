BEGIN { @a[count()] = count(); }
