BEGIN { trace(inet_ntoa()); }
