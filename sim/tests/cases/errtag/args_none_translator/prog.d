struct o { int a; };
translator struct o < int i > { a = args[0]; };
