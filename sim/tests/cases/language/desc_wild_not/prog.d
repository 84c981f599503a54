dtrace:::[!E]* { printf("B"); exit(0); } dtrace:::E[!R]* { printf("E"); }
