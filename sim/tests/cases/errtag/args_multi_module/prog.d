fbt:unix::entry { trace(args[1]); }
