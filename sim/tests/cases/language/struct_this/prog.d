struct s { int a; int b; };
this struct s v;
BEGIN { this->v.b = 3; printf("%d", this->v.b); exit(0); }
