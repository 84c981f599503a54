BEGIN { trace(1_000); }
