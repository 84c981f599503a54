BEGIN { @[curpsinfo] = count(); }
