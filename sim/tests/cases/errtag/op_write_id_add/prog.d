BEGIN { id += 1; }
