string s; BEGIN { s = 7; }
