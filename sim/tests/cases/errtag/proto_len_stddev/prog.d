BEGIN { @ = stddev(); }
