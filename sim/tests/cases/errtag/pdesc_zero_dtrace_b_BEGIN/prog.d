dtrace::b:BEGIN
{ trace(1); }
