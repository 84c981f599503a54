tick-500us { i++; } tick-1600us { printf("%d", i); exit(0); }
