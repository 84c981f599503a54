dtrace:BEGIN { exit(0); }
