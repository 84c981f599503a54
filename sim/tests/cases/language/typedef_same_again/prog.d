typedef int t; typedef int t; BEGIN { printf("%d", sizeof(t)); exit(0); }
