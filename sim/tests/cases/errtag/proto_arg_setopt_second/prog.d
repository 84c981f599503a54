BEGIN { setopt("a", 1); }
