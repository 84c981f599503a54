BEGIN { @ = count(); @_ = count(); exit(0); }
