dtrace:::Error
{ trace(1); }
