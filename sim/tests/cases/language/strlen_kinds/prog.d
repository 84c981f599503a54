char c[8]; BEGIN { c[0] = 'a'; c[1] = 'b'; c[2] = 'c'; printf("%d %d %d", strlen(""), strlen(c), strlen("hello")); exit(0); }
