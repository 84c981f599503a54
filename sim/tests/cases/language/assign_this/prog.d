BEGIN { this->x = 8; this->y = this->x + 1; printf("%d", this->y); exit(0); }
