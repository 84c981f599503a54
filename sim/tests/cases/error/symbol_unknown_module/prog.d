BEGIN { trace(nosuchmod`x); exit(0); }
