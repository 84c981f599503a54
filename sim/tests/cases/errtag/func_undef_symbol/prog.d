BEGIN { `putnext(1); }
