BEGIN { case 1: x = 1; }
