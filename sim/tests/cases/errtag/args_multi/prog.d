fbt:::entry { trace(args[0]); }
