BEGIN /x/ { trace(y); }
