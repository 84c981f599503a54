BEGIN { s = "abcabc"; printf("%d %d %d %d", index(s, "a"), index(s, "a", 1), index(s, "a", 4), rindex(s, "c")); exit(0); }
