BEGIN { @a[@b] = count(); }
