tick-5001 { trace(1); }
