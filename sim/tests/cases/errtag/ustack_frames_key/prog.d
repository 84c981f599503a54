BEGIN { @[ustack(0)] = count(); }
