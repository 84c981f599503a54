profile:::tick-6000hz
{ trace(1); }
