struct i { char c; };
struct o { int n; struct i i; };
BEGIN { printf("%d", offsetof(struct o, i)); exit(0); }
