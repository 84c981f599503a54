struct o { int a; };
translator struct o < int i > { a = i; };
BEGIN { xlate <struct o *> (1); }
