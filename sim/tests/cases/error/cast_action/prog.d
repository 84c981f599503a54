BEGIN { (void)trace(1); exit(0); }
