ip:::nosuch
{ trace(1); }
