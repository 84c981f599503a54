BEGIN { trace(sizeof ((void)1)); }
