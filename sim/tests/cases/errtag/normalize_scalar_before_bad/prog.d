BEGIN { normalize(@a[1], "x"); }
