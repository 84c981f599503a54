this char a[2];
BEGIN { this->a[2] = 1; }
