provider a`b { probe a(int); };
