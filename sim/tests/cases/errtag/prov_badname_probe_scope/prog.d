provider p { probe a`b(int); };
