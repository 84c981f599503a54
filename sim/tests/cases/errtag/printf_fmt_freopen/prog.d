BEGIN { s = "f"; freopen(s); }
