BEGIN { @a = sum(y); }
