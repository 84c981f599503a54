BEGIN { printf(strjoin("a", "b")); }
