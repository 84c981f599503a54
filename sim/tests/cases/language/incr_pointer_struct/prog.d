struct s { int a[3]; }; BEGIN { this->p = (struct s *)0; this->p++; this->p++; printf("%d", (int)this->p); exit(0); }
