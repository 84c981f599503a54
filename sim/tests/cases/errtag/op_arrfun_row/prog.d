int a[2][3];
BEGIN { this->p = a[1]; }
