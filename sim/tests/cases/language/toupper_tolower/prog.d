BEGIN { printf("%s %s", toupper("aBc"), tolower("AbC")); exit(0); }
