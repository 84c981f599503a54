BEGIN { *(void *)0 = 1; }
