io:::nosuch
{ trace(1); }
