profile:::nosuch
{ trace(1); }
