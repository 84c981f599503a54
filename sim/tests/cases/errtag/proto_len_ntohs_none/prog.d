BEGIN { trace(ntohs()); }
