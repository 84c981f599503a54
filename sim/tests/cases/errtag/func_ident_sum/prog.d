BEGIN { (rand + 1)(); }
