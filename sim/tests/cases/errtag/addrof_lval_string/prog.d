BEGIN { trace(&"abc"); }
