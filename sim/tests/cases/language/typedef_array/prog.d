typedef int arr_t[5];
BEGIN { printf("%d", sizeof (arr_t)); exit(0); }
