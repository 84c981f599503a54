struct o { int a; int b; };
translator struct o < int i > { a = i; };
translator struct o < int j > { b = j; };
