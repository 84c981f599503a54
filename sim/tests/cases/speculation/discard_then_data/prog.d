BEGIN { this->i = speculation(); discard(this->i); printf("data"); exit(0); }
