fbt:genunix:putnext:nosuch
{ trace(1); }
