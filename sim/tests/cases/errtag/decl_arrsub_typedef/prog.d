typedef int t[0];
