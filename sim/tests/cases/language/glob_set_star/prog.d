dtrace:::[BX]*[NM] { printf("1"); exit(0); }
