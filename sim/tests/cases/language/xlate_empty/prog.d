struct o { int a; }; translator struct o < int v > { }; BEGIN { printf("1"); exit(0); }
