struct s { int a; string string; }; translator struct s < int v > { string = "ab"; a = v; }; BEGIN { printf("%s", xlate <struct s> (1).string); exit(0); }
