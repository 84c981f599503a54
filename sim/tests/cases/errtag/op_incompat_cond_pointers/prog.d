BEGIN { trace(pid ? (char *)0 : (int *)0); }
