BEGIN { stack(3 - 3); }
