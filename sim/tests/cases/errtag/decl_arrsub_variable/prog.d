int a[pid];
