#pragma D option define=X
BEGIN { exit(0); }
