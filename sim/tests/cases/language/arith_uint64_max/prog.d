BEGIN { printf("%u", 18446744073709551615u); exit(0); }
