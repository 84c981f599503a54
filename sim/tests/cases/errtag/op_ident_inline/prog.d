inline int pr_pid = 1;
BEGIN { trace(curpsinfo->pr_pid); }
