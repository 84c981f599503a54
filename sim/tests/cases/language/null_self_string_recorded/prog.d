self string s; BEGIN { printf("%s", self->s); } BEGIN { exit(0); }
