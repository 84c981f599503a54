BEGIN { printf("%d", *&`kmem_flags == genunix`kmem_flags); exit(0); }
