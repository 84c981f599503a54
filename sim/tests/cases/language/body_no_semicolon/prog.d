BEGIN { printf("1"); printf("2") } BEGIN { exit(0) }
