BEGIN { printf("%d %d %d", sizeof(strlen("a")), sizeof(strjoin("a", "b")), sizeof(index("a", "b"))); exit(0); }
