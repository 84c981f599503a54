BEGIN { @a = count(); trace(stringof(@a)); }
