dtrace::::BEGIN { }
