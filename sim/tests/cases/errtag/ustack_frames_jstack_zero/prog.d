BEGIN { jstack(0); }
