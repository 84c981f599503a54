BEGIN { @a = count(); printf("%@u", 1); }
