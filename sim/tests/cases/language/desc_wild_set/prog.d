dtrace:::[AB]EGIN { printf("B"); exit(0); }
