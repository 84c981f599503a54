BEGIN { x = 5; y = x += 7; printf("%d", y); exit(0); }
