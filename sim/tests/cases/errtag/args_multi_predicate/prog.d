fbt:::return /args[0] == 1/ { trace(1); }
