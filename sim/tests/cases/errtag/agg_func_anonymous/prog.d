BEGIN { @ = 5; }
