BEGIN { this->n = 3; } BEGIN { this->s = "ab"; } BEGIN { printf("%d %s", this->n, this->s); exit(0); }
