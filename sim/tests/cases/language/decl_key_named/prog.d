int a[int x, string y]; BEGIN { a[1, "b"] = 5; printf("%d", a[1, "b"]); exit(0); }
