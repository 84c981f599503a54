struct o { string a; };
translator struct o < int i > { a = i; };
