BEGIN { trace((unsigned void *)0); }
