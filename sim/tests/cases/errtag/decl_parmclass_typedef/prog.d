int a[int, typedef int];
