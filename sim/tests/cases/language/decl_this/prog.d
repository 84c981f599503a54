this int x;
BEGIN { this->x = 3; printf("%d", this->x); exit(0); }
