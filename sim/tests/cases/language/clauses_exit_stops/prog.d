BEGIN { printf("1"); exit(0); } BEGIN { printf("2"); } END { printf("E"); }
