BEGIN { tid >>= 1; }
