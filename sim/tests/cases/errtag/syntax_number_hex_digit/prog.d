BEGIN { y = 0x1g; }
