BEGIN { trace("a" ^^ 0); }
