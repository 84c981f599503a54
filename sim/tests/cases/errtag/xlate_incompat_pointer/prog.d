struct q { char *p; };
translator struct q < int i > { p = i; };
