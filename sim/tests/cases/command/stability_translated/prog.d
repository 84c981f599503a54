BEGIN { x = curpsinfo->pr_pid; exit(0); }
