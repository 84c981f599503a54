BEGIN { trace(json("{}", 1)); }
