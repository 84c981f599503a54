BEGIN { trace("a"; }
