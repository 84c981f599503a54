dtrace:a::BEGIN
{ trace(1); }
