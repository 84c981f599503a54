BEGIN { normalize(pid, 2); }
