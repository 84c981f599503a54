BEGIN { @a[ = count(); }
