BEGIN { @a[@a] = count(); }
