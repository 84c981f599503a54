int x;
BEGIN /1 / x/ { trace(1); }
ERROR { exit(1); }
