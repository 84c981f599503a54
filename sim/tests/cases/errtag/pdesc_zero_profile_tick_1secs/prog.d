profile:::tick-1secs
{ trace(1); }
