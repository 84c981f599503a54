translator int < int v > { * = v; }; BEGIN { exit(0); }
