profile-10ms { i++; } tick-25ms { printf("%d", i); exit(0); }
