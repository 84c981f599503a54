profile:::tick-1.5
{ trace(1); }
