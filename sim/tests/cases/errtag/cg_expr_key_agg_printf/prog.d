BEGIN { @[printf("a")] = count(); }
