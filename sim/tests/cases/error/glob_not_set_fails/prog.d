dtrace:::[!B]EGIN { exit(0); }
