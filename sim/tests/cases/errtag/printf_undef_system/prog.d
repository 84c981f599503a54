BEGIN { system("ls %q", 1); }
