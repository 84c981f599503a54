provider p { probe a(int x); };
provider p { probe a(int x) : (int x); };
