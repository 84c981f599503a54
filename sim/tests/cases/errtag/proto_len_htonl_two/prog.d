BEGIN { trace(htonl(1, 2)); }
