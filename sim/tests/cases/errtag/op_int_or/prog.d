BEGIN { trace(1 | "b"); }
