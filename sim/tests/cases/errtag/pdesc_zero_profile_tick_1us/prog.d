profile:::tick-1us
{ trace(1); }
