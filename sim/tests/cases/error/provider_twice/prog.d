provider p { probe a(); probe a(); }; BEGIN { exit(0); }
