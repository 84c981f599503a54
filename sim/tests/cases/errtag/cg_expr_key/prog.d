BEGIN { x[stack()] = 1; }
