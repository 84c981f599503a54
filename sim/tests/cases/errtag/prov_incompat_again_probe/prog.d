provider p { probe a(int x); };
provider p { probe b(int x); };
