BEGIN { trace("abc"->a); }
