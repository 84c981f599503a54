struct o { int a; int b; };
BEGIN { trace(xlate <struct o> (execname).a); }
