BEGIN { trace(dirname()); }
