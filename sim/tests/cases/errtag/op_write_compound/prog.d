BEGIN { pid += 1; }
