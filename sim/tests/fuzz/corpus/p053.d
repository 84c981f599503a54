BEGIN { printf("[%s]\n", strtok("a,b", ",")); exit(0); }
