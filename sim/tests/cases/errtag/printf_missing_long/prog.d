BEGIN { printf("%lld"); }
