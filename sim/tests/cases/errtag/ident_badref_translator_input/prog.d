BEGIN { x = copyin + 1; }
