BEGIN { a["x"] = 1; } BEGIN /a["y"]/ { printf("y"); } BEGIN { printf("n"); exit(0); }
