BEGIN { ("a"); }
