BEGIN { trace(count); }
