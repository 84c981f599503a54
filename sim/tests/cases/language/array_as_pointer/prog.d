int a[3]; BEGIN { a[1] = 2; this->p = (int *)a; printf("%d", this->p[1]); exit(0); }
