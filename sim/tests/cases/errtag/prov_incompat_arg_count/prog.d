provider p { probe a(int); };
provider p { probe a(int, int); };
