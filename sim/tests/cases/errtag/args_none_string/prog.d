inline string s = args[1];
