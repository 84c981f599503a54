profile:::tick-sec
{ trace(1); }
