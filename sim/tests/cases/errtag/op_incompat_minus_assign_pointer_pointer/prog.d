BEGIN { p = (char *)0; p -= p; }
