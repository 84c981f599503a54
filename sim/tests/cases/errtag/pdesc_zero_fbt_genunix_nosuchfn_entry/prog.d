fbt:genunix:nosuchfn:entry
{ trace(1); }
