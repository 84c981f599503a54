BEGIN { sym("a"); }
