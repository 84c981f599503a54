fbt::putnext:entry { i = 1; trace(args[i]); }
