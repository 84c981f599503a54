nosuch:genunix:putnext:entry
{ trace(1); }
