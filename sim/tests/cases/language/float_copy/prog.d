float f; float g; BEGIN { g = f; printf("1"); exit(0); }
