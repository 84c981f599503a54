#line 100
BEGIN { trace(x); }
