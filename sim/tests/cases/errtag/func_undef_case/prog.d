BEGIN { Printf("x"); }
