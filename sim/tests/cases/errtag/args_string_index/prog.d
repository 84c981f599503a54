fbt::putnext:entry { trace(args["x"]); }
