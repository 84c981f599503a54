struct s { int a; int b; };
BEGIN { trace(((struct s *)0)->b); }
ERROR { exit(1); }
