BEGIN { x = "
"; }
