BEGIN /this->x/ { }
