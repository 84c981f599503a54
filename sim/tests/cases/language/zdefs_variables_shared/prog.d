#pragma D option zdefs
nosuch:::x { y = 1; } BEGIN { y = 3; printf("%d", y); exit(0); }
