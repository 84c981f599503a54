provider dtrace { probe foo(); }; BEGIN { exit(0); }
