BEGIN { this->string = 4; self->self = 5; printf("%d", this->string); exit(0); }
