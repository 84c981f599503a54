BEGIN { printf("%s %d %s", strstr("hello", "ll"), strstr("hello", "xx") == NULL, strstr("hello", "")); exit(0); }
