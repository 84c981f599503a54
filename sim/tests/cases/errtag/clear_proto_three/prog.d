BEGIN { @a = count(); clear(@a, 1, 2); }
