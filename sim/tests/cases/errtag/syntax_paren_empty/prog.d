BEGIN { x = (); }
