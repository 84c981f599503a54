typedef string str_t;
str_t s;
BEGIN { s = "typed"; printf("%s", s); exit(0); }
