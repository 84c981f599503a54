string s; BEGIN { trace(&s); }
