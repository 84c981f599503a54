BEGIN { "x"(2); }
