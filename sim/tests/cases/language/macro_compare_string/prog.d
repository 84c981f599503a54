BEGIN { printf("%d", $$1 == "abc"); exit(0); }
