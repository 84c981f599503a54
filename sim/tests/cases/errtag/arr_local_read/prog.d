BEGIN { trace(this->x[1]); }
