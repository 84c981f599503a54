BEGIN { trace(sizeof (x)); }
