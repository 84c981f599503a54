BEGIN { trace(((struct nosuch *)0)->x); }
