tcp:::nosuch
{ trace(1); }
