#pragma D option quiet
BEGIN { printf("x"); exit(0); }
