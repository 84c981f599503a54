this int a[2];
BEGIN { this->a[1] = 3; printf("%d", this->a[1]); exit(0); }
