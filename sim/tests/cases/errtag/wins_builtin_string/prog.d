BEGIN { pid = "s"; }
