BEGIN { printf("%s", stringof("abc")); exit(0); }
