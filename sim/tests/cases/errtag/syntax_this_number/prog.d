BEGIN { this->1 = 2; }
