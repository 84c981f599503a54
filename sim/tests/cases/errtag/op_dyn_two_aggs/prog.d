BEGIN { @a = count(), @b = count(); }
