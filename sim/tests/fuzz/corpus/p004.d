BEGIN { 1 = ""; }
