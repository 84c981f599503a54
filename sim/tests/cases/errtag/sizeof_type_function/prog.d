BEGIN { trace(sizeof (`putnext)); }
