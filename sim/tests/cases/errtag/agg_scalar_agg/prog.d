BEGIN { @b = count(); @a = sum(@b); }
