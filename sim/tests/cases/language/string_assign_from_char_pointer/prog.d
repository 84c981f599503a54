BEGIN { this->p = (char *)alloca(4); this->p[0] = 'a'; this->p[1] = 'b'; this->p[2] = 'c'; this->p[3] = 0; s = stringof(this->p); this->p[0] = 'x'; printf("%s", s); exit(0); }
