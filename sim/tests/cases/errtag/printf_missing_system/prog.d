BEGIN { system("echo %d"); }
