typedef static int t;
