struct o { int a; };
translator struct o < int i > { a = i; };
BEGIN { trace(xlate <struct o> (1)); }
