int a[sizeof (void)];
