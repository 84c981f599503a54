BEGIN { s = "one"; s = "three"; printf("%s", s); exit(0); }
