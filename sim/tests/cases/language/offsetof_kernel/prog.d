BEGIN { printf("%d", offsetof(struct msgb, b_rptr) == (uintptr_t)&((mblk_t *)0)->b_rptr); exit(0); }
