BEGIN /0/ { printf("one"); } BEGIN /!0/ { printf("two"); exit(0); }
