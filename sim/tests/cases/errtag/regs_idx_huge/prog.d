BEGIN { trace(uregs[-2147483648]); }
