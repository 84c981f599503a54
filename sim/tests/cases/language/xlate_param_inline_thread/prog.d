inline psinfo_t *ps[kthread_t *t] = xlate <psinfo_t *> (t->t_procp); BEGIN { printf("%d", ps[curthread]->pr_pid == pid); exit(0); }
