BEGIN { @a = count(); clear(@a); exit(0); }
