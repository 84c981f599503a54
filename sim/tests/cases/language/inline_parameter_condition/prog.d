inline string name[int n] = n == 1 ? "one" : n == 2 ? "two" : "many";
BEGIN { printf("%s", name[2]); exit(0); }
