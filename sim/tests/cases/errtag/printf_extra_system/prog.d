BEGIN { system("ls", 1); }
