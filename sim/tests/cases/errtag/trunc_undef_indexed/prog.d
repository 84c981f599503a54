BEGIN { trunc(@n[execname]); }
