struct o { int a; };
translator struct o < int *p > { a = 1; };
translator struct o < int *q > { a = 2; };
