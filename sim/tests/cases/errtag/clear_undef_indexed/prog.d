BEGIN { clear(@n[execname]); }
