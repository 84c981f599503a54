BEGIN { printf("%d", `p0->p_pid); exit(0); }
