inline string pn = probename; BEGIN { printf("%s", pn); exit(0); }
