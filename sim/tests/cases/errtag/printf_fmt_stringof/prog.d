BEGIN { printf(stringof("abc")); }
