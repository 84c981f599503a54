BEGIN { trace("a" ^ "b"); }
