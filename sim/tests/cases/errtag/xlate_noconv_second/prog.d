struct o { int a; int b; };
translator struct o < int i > { a = i; };
BEGIN { x = xlate <struct o *> (5)->a; trace(xlate <struct o> (5).b); }
