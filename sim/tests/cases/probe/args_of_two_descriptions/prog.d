fbt::putnext:entry,
fbt::put:entry { x = args[0]; }
BEGIN { printf("ok"); exit(0); }
