struct pt { int x; int y; }; struct pt g; this struct pt p; BEGIN { g.x = 7; this->p = g; printf("%d", this->p.x); exit(0); }
