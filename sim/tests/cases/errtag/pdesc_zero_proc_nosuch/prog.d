proc:::nosuch
{ trace(1); }
