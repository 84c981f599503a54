 char pid_t;
