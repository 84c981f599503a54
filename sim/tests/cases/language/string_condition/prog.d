BEGIN { s = pid == -5 ? "yes" : "no"; printf("%s", s); exit(0); }
