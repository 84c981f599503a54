int x;
unsigned long long;
BEGIN { }
