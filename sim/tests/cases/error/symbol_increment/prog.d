BEGIN { `kmem_flags++; exit(0); }
