$nosuch:::BEGIN { }
