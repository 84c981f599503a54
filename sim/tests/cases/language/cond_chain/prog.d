BEGIN { x = 3; printf("%s", x == 1 ? "one" : x == 2 ? "two" : x == 3 ? "three" : "many"); exit(0); }
