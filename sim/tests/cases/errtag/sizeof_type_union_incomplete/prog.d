union u;
BEGIN { trace(sizeof (union u)); }
