string s;
BEGIN { printf("%s", s); exit(0); }
