fbt::putnext:entry { trace(args[0, 1]); }
