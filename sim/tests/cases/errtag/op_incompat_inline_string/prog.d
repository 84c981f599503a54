inline string s = 1;
