BEGIN /probename == "BEGIN" && probeprov == "dtrace"/ { printf("yes"); exit(0); }
