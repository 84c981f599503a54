BEGIN /curthread != NULL/ { printf("yes"); exit(0); }
