int *p; BEGIN { x = p["a", 1]; }
