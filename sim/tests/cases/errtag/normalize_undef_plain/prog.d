BEGIN { normalize(@n, 2); }
