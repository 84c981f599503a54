BEGIN { = 3; }
