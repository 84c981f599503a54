BEGIN { @a = sum((void)0); }
