BEGIN { pid ? stack() : trace(1); }
