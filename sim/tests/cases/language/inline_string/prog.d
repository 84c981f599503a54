inline string S = "word";
BEGIN { printf("%s", S); exit(0); }
