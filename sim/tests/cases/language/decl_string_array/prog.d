string s[2]; BEGIN { s[0] = "a"; s[1] = "b"; printf("%s %s", s[0], s[1]); exit(0); }
