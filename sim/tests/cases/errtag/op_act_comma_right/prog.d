BEGIN { 1, trace(2); }
