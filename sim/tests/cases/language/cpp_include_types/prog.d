#include <sys/types.h>
BEGIN { printf("%d", sizeof(pid_t)); exit(0); }
