dtrace:::BEGINS
{ trace(1); }
