tick-0 { exit(0); }
