BEGIN { trace("a" - "b"); }
