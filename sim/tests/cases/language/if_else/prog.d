BEGIN { x = 3; if (x > 5) printf("big"); else printf("small"); exit(0); }
