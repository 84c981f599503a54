BEGIN { trace(sizeof (trace(1))); }
