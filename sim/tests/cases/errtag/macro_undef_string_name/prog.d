BEGIN { trace($$nosuch); }
