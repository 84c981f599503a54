translator struct nosuch < int i > { a = i; };
