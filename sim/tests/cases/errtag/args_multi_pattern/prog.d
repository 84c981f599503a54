fbt::put*:entry { trace(args[0]); }
