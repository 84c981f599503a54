BEGIN { trunc(@a[1], 2); }
