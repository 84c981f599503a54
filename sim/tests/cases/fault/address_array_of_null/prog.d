BEGIN { this->p = (int *)0; trace(this->p[4]); }
ERROR { exit(1); }
