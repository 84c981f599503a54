
#pragma D option bufsize=1x
BEGIN { exit(0); }
