profile:::tick-100usec
{ trace(1); }
