#pragma D option nosuch=1
BEGIN { exit(0); }
