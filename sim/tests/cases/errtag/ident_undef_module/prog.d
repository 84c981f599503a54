BEGIN { trace(nosuchmod`x); }
