string g;
self string s;
BEGIN { printf("%d %d", g == "", self->s == NULL); exit(0); }
