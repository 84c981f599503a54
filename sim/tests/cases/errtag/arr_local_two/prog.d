BEGIN { this->x[1, 2] = 2; }
