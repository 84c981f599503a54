BEGIN { mod(1, 2); }
