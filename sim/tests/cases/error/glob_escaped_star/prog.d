dtrace:::B\* { exit(0); }
