fbt::putnext:entry { trace(args[-1]); }
