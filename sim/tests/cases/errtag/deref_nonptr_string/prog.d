BEGIN { trace(*"abc"); }
