self string s;
BEGIN { printf("%d %d %d\n", self->s == "", self->s == NULL, "" == NULL); exit(0); }
