BEGIN { goto x; }
