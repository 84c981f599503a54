int a;
int b;
void x;
int c;
