BEGIN { trace(pid->a); }
