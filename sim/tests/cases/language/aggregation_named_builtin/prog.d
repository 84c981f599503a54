BEGIN { @pid = count(); exit(0); }
