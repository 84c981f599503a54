BEGIN { ustack("a"); }
