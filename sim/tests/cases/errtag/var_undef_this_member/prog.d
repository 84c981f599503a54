BEGIN { trace(this->p->x); }
