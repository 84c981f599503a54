profile:::avg
{ trace(1); }
