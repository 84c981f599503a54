union u;
translator union u < int i > { a = i; };
