#pragma D binding 1.0 x
int x; BEGIN { exit(0); }
