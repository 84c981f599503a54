struct o;
translator struct o < int i > { a = i; };
