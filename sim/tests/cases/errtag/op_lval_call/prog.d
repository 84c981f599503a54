BEGIN { rand() = 2; }
