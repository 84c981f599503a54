inline int DEBUG = 1; BEGIN /DEBUG/ { printf("y"); exit(0); }
