struct o { int a; };
translator struct o < int i > { a = i * 3; };
inline struct o *op = xlate <struct o *> (5);
BEGIN { printf("%d", op->a); exit(0); }
