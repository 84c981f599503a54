BEGIN { trace(toupper()); }
