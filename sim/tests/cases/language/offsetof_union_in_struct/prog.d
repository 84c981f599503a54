struct s { int a; union { long l; char c; } u; }; BEGIN { printf("%d", offsetof(struct s, u)); exit(0); }
