typedef int foo; BEGIN { foo = 1; exit(0); }
