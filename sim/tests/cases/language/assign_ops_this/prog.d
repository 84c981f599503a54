BEGIN { this->a = 3; this->a <<= 2; printf("%d ", this->a); this->a /= 4; printf("%d ", this->a); this->a ^= 51; printf("%d", this->a); exit(0); }
