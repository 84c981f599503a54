int x[int]; int x[int, int]; BEGIN { exit(0); }
