BEGIN { normalize(@n[execname], 2); }
