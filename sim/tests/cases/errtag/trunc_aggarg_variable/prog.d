BEGIN { trunc(pid); }
