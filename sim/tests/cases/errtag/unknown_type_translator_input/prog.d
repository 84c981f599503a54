struct o { int a; };
translator struct o < nosuch_t i > { a = i; };
