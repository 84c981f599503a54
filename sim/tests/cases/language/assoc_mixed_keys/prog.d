BEGIN { a[pid, execname, 'c', 5ll] = 4; printf("%d", a[pid, execname, 'c', 5ll]); exit(0); }
