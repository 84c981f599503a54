BEGIN { raise("a"); }
