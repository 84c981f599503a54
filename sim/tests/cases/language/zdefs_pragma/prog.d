#pragma D option zdefs
nosuch { } BEGIN { printf("1"); exit(0); }
