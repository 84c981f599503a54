union a`b { int x; };
