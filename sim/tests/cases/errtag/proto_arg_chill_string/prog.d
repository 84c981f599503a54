BEGIN { chill("a"); }
