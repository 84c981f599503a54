BEGIN { trace("abc".a); }
