BEGIN { trace("a" "b"); exit(0); }
