BEGIN { printf("%s", "12345"); exit(0); }
#pragma D option strsize=4
