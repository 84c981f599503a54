struct o { int a; };
translator struct o < int i > { };
BEGIN { trace(xlate <struct o> (1).a); }
