BEGIN { this->n -= 1; }
