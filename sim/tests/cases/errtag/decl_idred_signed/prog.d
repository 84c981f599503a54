int x;
unsigned int x;
