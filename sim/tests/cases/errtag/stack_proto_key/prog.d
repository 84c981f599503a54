BEGIN { @[stack(1, 2)] = count(); }
