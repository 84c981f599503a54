BEGIN { trace(discard(1)); }
