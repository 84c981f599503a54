BEGIN { @ = avg(-7); @ = avg(2); printa("%char@d %x %@10d\n", @); exit(0); }
