struct o { int a; }; translator struct o < int v > { a = v; } BEGIN { exit(0); }
