string s; BEGIN { this->p = (char *)alloca(4); this->p[0] = 'a'; this->p[1] = 'b'; this->p[2] = 'c'; this->p[3] = 0; s = this->p; printf("%s", s); exit(0); }
