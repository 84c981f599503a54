BEGIN /curthread != NULL/ { exit(0); }
