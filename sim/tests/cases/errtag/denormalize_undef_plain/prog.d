BEGIN { denormalize(@n); }
