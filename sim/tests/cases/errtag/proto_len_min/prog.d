BEGIN { @ = min(); }
