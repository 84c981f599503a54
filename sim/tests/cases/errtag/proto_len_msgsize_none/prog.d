BEGIN { trace(msgsize()); }
