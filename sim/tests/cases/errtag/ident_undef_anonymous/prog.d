BEGIN { trace(@); }
