inline string j[string a, string b] = strjoin(a, strjoin(" ", b)); BEGIN { printf("%s", j["hello", "world"]); exit(0); }
