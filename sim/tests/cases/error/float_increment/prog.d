float f; BEGIN { f++; exit(0); }
