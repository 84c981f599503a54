BEGIN { trace(execname > 5); }
