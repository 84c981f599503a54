BEGIN { abc = 1; ABC = 2; printf("%d %d", abc, ABC); exit(0); }
