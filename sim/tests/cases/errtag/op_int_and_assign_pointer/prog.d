int *p;
BEGIN { p &= 3; }
