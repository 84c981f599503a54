BEGIN { @a = rand(); }
