BEGIN { trace(1); }
nosuch
{ trace(2); }
