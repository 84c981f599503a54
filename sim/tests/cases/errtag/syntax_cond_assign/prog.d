BEGIN { x = 0; y = 0; pid ? x = 1 : y = 2; }
