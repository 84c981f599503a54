BEGIN { a["x"] = 1; } BEGIN /a["x"] == 1/ { printf("y"); exit(0); }
