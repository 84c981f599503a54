BEGIN { @a = count(); normalize(@a, @a); }
