BEGIN { trace(strtok("a")); }
