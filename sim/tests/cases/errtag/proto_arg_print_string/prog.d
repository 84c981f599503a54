BEGIN { print("a"); }
