BEGIN { trace(2 / "a"); }
