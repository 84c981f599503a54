BEGIN { @a = count(); x = @a * 2; }
