BEGIN
{ trace(nosuch); }
