dtrace:::begin
{ trace(1); }
