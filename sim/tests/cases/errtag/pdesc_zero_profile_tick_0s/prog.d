profile:::tick-0s
{ trace(1); }
