BEGIN { printf("%s", strjoin(lltostr(12), strjoin("-", lltostr(34)))); exit(0); }
