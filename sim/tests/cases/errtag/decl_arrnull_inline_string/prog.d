inline string s[] = "x";
