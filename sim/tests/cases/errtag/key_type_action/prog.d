BEGIN { @[trace(1)] = count(); }
