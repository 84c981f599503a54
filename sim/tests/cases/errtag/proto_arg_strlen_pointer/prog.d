BEGIN { trace(strlen((int *)0)); }
