BEGIN { trace((nosuch_t)1); }
