self int pid; BEGIN { self->pid = 3; printf("%d", self->pid); exit(0); }
