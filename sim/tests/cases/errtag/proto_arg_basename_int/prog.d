BEGIN { trace(basename(1)); }
