profile:::tick-0
{ trace(1); }
