extern const int hz; BEGIN { printf("%d", `hz); exit(0); }
