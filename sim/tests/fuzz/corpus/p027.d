profile-997BEGIN { s = "a"; s++; }
