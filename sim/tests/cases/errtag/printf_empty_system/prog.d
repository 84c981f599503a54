BEGIN { system(""); }
