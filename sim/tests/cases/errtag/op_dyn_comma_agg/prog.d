BEGIN { @a = count(); x = (1, @a); }
