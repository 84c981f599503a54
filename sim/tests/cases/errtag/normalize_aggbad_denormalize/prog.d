BEGIN { denormalize(@a[1]); }
