struct o { int a; };
translator struct o < int i > { a == 1; };
