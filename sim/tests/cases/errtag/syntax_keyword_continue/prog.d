BEGIN { continue; }
