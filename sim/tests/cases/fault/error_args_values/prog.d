BEGIN { x = 1; trace(*(int *)24); }
ERROR { printf("%d %d %d %x\n", arg1, arg2, arg4, arg5); exit(0); }
