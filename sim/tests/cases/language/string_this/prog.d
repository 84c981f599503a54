BEGIN { this->s = "here"; printf("%s", this->s); exit(0); }
