struct o { int a; int b; };
translator struct o < int i > { a = i; };
BEGIN { trace(xlate <struct o *> (1)->b); }
