BEGIN { x = '123456789'; exit(0); }
