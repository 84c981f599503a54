BEGIN { trace(cleanpath()); }
