fbt::putnext:entry { trace(args[2]); }
