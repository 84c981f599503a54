BEGIN { printf("%d"); }
END { trace(nosuch); }
