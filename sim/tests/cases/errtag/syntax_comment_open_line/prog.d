BEGIN { }

/* never closed
