BEGIN { printf("%d", progenyof(pid)); exit(0); }
