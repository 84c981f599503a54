BEGIN { printf("%d", xlate <psinfo_t> (curthread->t_procp).pr_pid == curpsinfo->pr_pid); exit(0); }
