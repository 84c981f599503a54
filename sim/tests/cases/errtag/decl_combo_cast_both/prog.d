BEGIN { trace((int char)1); }
