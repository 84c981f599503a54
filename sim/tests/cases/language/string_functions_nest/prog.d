BEGIN { printf("%s", substr(basename(strjoin("/a/", "xBy")), 1, 1)); exit(0); }
