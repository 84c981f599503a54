inline int ON = 1;
inline int OFF = 0;
BEGIN { ON ? printf("on") : 1; OFF ? printf("off") : 1; exit(0); }
