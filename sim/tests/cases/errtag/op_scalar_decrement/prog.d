BEGIN { s = "a"; --s; }
