BEGIN { printf(pid ? "a" : "b"); }
