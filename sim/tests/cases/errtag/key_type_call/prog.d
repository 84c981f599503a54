BEGIN { @a[printf("x")] = count(); }
