mib:::nosuch
{ trace(1); }
