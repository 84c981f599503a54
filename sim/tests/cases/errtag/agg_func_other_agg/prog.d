BEGIN { @a = count(); @b = @a; }
