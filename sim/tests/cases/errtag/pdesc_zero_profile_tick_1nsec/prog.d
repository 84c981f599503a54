profile:::tick-1nsec
{ trace(1); }
