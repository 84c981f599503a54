BEGIN { @a = count(); pid ? @a : @a; }
