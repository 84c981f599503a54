BEGIN { @a = -count(); }
