BEGIN { trace(4 / "a"); }
