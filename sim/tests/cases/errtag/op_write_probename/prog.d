BEGIN { probename = "x"; }
