BEGIN { discard("a"); }
