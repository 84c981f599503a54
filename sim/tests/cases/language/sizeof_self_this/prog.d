self short x; this char y; BEGIN { printf("%d %d", sizeof(self->x), sizeof(this->y)); exit(0); }
