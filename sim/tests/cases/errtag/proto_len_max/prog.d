BEGIN { @ = max(); }
