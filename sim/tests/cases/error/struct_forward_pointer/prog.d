struct a; struct a *p; BEGIN { trace(p->x); exit(0); }
