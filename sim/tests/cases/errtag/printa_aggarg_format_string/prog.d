BEGIN { printa("%s", "a"); }
