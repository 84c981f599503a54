profile:::tick-
{ trace(1); }
