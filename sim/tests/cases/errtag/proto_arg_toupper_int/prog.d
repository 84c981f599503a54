BEGIN { trace(toupper(1)); }
