BEGIN { y = 1uu; }
