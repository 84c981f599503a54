#pragma D option \
quiet
BEGIN { printf("4"); exit(0); }
