BEGIN { jstack(1, -5); }
