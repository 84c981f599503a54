BEGIN { umod("a"); }
