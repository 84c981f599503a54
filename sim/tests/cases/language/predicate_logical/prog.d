BEGIN /1 && (0 || 1) && !0/ { printf("y"); exit(0); }
