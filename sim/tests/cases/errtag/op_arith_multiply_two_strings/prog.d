BEGIN { trace("a" * "b"); }
