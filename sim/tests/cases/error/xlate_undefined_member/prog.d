struct o { int a; }; translator struct o < int v > { c = v; }; BEGIN { exit(0); }
