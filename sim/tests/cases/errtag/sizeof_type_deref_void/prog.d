BEGIN { trace(sizeof (*(void *)0)); }
