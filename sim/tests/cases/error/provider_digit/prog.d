provider p1 { probe a(); }; BEGIN { exit(0); }
