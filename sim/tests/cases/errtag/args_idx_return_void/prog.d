fbt::putnext:return { trace(args[2]); }
