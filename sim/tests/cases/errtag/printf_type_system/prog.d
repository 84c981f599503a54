BEGIN { system("echo %s", 1); }
