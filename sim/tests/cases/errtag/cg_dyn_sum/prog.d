BEGIN { sum(1); }
