provider p { probe a(int x, int y) : (int x, int); };
