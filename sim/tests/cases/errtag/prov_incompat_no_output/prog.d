provider p { probe a(int x) : (int x); };
provider p { probe a(int x); };
