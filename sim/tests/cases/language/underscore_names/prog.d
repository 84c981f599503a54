BEGIN { _ = 1; __a = 2; printf("%d", _ + __a); exit(0); }
