BEGIN {
#pragma D option strsize=64
 printf("1"); exit(0); }
