translator int < int v > { a = v; }; BEGIN { exit(0); }
