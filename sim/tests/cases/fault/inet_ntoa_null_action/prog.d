BEGIN { trace(inet_ntoa((ipaddr_t *)NULL)); }
ERROR { exit(1); }
