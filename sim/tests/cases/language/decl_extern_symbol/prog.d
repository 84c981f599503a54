extern int nosuchkernelvariable; BEGIN { printf("1"); exit(0); }
