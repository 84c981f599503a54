BEGIN { denormalize(@n[execname]); }
