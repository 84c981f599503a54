#pragma D option switchrate=10hz
#pragma D option aggrate=100ms
#pragma D option statusrate=1sec
BEGIN { printf("1"); exit(0); }
