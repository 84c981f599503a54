BEGIN { trace(strjoin("a")); }
