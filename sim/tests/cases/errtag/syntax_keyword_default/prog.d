BEGIN { default: x = 1; }
