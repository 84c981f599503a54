char *s;
BEGIN { s = alloca(4); s[0] = 'a'; s[1] = 'b'; printf("%d", *(s + 1)); exit(0); }
