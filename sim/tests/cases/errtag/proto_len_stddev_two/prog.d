BEGIN { @ = stddev(1, 2); }
