BEGIN { this->x["a"] = 2; }
