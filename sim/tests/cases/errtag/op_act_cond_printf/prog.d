BEGIN { pid == 0 ? printf("a") : printf("b"); }
