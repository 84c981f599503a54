char c[4]; BEGIN { c[0] = 'a'; c[1] = 0; printf("%d", c == "a"); exit(0); }
