BEGIN { "a"--; }
