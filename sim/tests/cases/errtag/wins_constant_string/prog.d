BEGIN { 1 = "s"; }
