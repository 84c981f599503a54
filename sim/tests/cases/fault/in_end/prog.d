BEGIN { exit(3); }
END { trace(*(int *)0); }
