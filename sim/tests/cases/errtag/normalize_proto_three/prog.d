BEGIN { @a = count(); normalize(@a, 1, 2); }
