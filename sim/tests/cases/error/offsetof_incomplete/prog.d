struct s; BEGIN { trace(offsetof(struct s *, a)); exit(0); }
