unsigned long char c;
