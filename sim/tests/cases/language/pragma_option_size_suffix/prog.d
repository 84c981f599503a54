#pragma D option bufsize=64k
#pragma D option dynvarsize=1m
#pragma D option aggsize=100k
BEGIN { printf("1"); exit(0); }
