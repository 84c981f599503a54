BEGIN { copyin(1, "b"); }
