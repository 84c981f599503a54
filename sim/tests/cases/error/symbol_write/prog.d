BEGIN { `kmem_flags = 1; exit(0); }
