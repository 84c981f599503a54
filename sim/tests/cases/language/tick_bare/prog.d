tick-100 { i++; } tick-25ms { printf("%d", i); exit(0); }
