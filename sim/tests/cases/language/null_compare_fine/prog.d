self string s; BEGIN { printf("%d %d %d", self->s == "", self->s > "", self->s < "a"); exit(0); }
