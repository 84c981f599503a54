inline int x = pid; BEGIN { x(1); }
