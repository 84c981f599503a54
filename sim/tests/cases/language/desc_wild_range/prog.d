dtrace:::[A-C]EGIN { printf("B"); exit(0); }
