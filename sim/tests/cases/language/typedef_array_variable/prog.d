typedef int arr_t[5];
arr_t a;
BEGIN { a[4] = 2; printf("%d", a[4]); exit(0); }
