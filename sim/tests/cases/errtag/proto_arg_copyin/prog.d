BEGIN { copyin("x", 4); }
