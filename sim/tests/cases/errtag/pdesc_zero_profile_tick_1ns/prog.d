profile:::tick-1ns
{ trace(1); }
