fbt::putnext:entry,
fbt:ldterm::entry { trace(args[0]); }
