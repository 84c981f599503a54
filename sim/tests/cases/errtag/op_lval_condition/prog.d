BEGIN { x = 1; (pid ? x : x) = 2; }
