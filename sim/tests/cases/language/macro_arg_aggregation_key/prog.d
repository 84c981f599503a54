BEGIN { @[$$1] = count(); exit(0); }
