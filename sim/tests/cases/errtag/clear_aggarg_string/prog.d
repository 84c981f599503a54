BEGIN { clear("a"); }
