BEGIN { s = "ls"; system(s); }
