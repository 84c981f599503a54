BEGIN { jstack(pid); }
