BEGIN { @a = count(); trace(@a.x); }
