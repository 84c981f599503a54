dtrace:::B* { printf("B"); exit(0); }
