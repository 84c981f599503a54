BEGIN { trace(pid / (3 - 3)); }
