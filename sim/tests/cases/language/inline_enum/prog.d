enum e { A = 3 };
inline int n = A;
int arr[n];
BEGIN { printf("%d\n", sizeof (arr)); exit(0); }
