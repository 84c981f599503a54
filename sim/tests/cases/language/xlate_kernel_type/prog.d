struct mine { pid_t p; }; translator struct mine < proc_t *P > { p = P->p_pid; }; BEGIN { printf("%d", xlate <struct mine> (curthread->t_procp).p == curpsinfo->pr_pid); exit(0); }
