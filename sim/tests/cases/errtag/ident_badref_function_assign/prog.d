BEGIN { strlen = 1; }
