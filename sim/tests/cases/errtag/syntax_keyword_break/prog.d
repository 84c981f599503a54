BEGIN { break; }
