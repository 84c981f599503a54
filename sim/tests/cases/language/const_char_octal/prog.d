BEGIN { printf("%d", '\101'); exit(0); }
