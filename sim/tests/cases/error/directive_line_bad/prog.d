#line foo
BEGIN { trace(x); }
