begin { trace(1); }
