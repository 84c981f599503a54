BEGIN { x = sizeof (int); (void)printf("a"); }
