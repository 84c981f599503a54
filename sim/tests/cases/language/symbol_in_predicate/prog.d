BEGIN /`hz == 100/ { printf("y"); exit(0); }
