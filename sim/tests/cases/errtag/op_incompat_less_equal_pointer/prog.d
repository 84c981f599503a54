BEGIN { p = (char *)0; trace(p <= 5); }
