typedef char pid_t;
