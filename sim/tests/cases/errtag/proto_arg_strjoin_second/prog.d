BEGIN { trace(strjoin("a", 1)); }
