BEGIN { trace(*1); }
