BEGIN { trace(p->x); }
