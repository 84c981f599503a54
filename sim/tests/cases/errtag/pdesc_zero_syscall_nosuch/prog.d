syscall:::nosuch
{ trace(1); }
