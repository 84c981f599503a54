BEGIN { stack(1, 2= 3); }
