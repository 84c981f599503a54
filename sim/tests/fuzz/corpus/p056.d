BEGIN { printf("%d›\n", index("abcabc", "ca")); exit(0); }
