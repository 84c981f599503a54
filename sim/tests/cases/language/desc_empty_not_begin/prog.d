:::{ n++; } BEGIN { printf("%s", n ? "some" : "none"); exit(0); }
