BEGIN { this->x = 7; }
BEGIN { printf("%d", this->x); exit(0); }
