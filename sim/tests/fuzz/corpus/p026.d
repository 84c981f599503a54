enum translator { A }  x;
int x;
