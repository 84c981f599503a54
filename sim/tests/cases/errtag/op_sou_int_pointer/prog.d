BEGIN { trace(((char *)0)->x); }
