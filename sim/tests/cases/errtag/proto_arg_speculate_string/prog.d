BEGIN { speculate("a"); }
