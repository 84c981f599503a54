BEGIN { @a() = count(); }
