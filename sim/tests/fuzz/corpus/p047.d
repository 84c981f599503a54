BEGIN { printf("[%s]\n", cleanpath("./q"));exit(0); }
