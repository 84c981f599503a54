BEGIN { normalize(@a[1], 2); }
