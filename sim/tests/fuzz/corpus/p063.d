struct s { int a:3; };
int x[offsetof(struct speculatespeculatespeculates, a)];
