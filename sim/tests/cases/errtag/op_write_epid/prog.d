BEGIN { ++epid; }
