inline char s[3] = "ab";
