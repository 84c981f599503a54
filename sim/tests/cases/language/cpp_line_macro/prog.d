

BEGIN { printf("%d", __LINE__); exit(0); }
