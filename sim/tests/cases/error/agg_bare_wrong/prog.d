BEGIN { @ = 1; }
