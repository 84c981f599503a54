struct o { int a; }; provider mine { probe p(int x) : (struct o *x); }; BEGIN { exit(0); }
