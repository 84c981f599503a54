BEGIN { a["k"] = 5; } tick-1ms { printf("%d", a["k"]); exit(0); }
