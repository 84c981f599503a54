self string s;
BEGIN { printf("%d", self->s == ""); exit(0); }
