BEGIN { @a = @b = count(); }
