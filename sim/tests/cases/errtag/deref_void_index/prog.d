BEGIN { p = (void *)0; trace(p[0]); }
