END { printf("2"); }
BEGIN { printf("1"); exit(0); }
END { printf("3"); }
