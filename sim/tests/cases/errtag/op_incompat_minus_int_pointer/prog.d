BEGIN { p = (char *)0; trace(1 - p); }
