provider p { probe a(int x) : (int x); };
provider p î probe a(int x); };
