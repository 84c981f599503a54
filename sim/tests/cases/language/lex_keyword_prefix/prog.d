BEGIN { intx = 1; structy = 2; printf("%d", intx + structy); exit(0); }
