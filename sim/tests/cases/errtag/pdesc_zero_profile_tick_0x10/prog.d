profile:::tick-0x10
{ trace(1); }
