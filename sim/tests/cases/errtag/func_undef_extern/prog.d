extern int foo(int);
BEGIN { foo(1); }
