BEGIN /this->x[1]/ { }
