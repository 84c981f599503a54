BEGIN { pid ? trace(1) : 5; }
