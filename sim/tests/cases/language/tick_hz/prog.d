tick-100hz { i++; } tick-45ms { printf("%d", i); exit(0); }
