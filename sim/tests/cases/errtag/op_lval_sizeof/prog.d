BEGIN { sizeof (int) = 2; }
