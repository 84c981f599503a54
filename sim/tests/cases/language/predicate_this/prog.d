BEGIN { this->v = 5; } BEGIN /this->v == 5/ { printf("%d", this->v); exit(0); }
