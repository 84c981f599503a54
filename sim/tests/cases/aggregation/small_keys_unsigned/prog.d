BEGIN { @a[(char)-1] = count(); @a[(char)1] = count(); exit(0); }
