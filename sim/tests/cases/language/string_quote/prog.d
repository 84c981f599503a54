BEGIN { printf("%s", "say \"hi\""); exit(0); }
