union u;
BEGIN { p = (union u *)0; trace(p->a); }
