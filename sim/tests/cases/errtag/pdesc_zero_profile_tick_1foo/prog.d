profile:::tick-1foo
{ trace(1); }
