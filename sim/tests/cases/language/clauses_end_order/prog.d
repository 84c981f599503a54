BEGIN { exit(0); } END { printf("A"); } END { printf("B"); } END { printf("C"); }
