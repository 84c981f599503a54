provider abc99 { probe a(int); };
