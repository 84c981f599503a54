BEGIN { trace(rindex()); }
