BEGIN { x = `putnext`putnext9223372036854775808LL; }
