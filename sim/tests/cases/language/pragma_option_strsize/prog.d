#pragma D option strsize=12
BEGIN { printf("%s %d", "1234567890123", 16); exit(0); }
