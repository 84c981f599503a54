BEGIN { p = (char *)0; p /= 2; }
